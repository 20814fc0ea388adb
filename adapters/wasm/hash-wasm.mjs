// hash-wasm: createBLAKE2b, with init, save and load (npm hash-wasm)
import { createBLAKE2b } from 'hash-wasm'
import { serve, versionOf } from '../javascript/protocol.mjs'

const make = ({ size, key }) => createBLAKE2b(size === undefined ? undefined : size * 8, key)

serve({
  name: 'hash-wasm',
  version: versionOf('hash-wasm'),
  takes: 'size key',
  final: 'throws',
  make,
  update: (hasher, bytes) => hasher.update(bytes),
  digest: (hasher) => hasher.digest('binary'),
  reset: (hasher) => hasher.init(),
  save: async (hasher, params) => (await make(params)).load(hasher.save()),
})
