// @ethereumjs/evm: the precompiled contract 0x09 (EIP-152), which is F alone (npm @ethereumjs/evm)
import { createEVM } from '@ethereumjs/evm'
import { serve, versionOf } from './protocol.mjs'

const { common, precompiles } = await createEVM()
const blake2f = precompiles.get('09'.padStart(40, '0'))

serve({
  name: 'ethereumjs',
  version: versionOf('@ethereumjs/evm'),
  compress(data) {
    const result = blake2f({ data, common, gasLimit: 2n ** 63n })
    if (result.exceptionError) throw new Error(result.exceptionError.error)
    return result.returnValue
  },
})
