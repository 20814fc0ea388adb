// @napi-rs/blake-hash 1.3.6: lengths above what fits are cut, and what the Rust inside refuses ends the process.
// $ node javascript/napi-rs.mjs
import { createRequire } from 'node:module'
const { Blake2BHasher, Blake2BParam } = createRequire(import.meta.url)('../../adapters/javascript/node_modules/@napi-rs/blake-hash-linux-x64-gnu')

function digest(set) {
  const params = new Blake2BParam()
  params.hashLength(8)
  try {
    set(params)
    return Blake2BHasher.withParams(params).digestBuffer().toString('hex')
  } catch (e) {
    return String(e)
  }
}

console.log('fanout 256')
console.log('got ', digest((p) => p.fanout(256)), 'which is that of fanout 0,', digest((p) => p.fanout(0)))
console.log('want an error')
console.log('leaf length 2^32 + 1')
console.log('got ', digest((p) => p.maxLeafLength(2 ** 32 + 1)), 'which is that of 1,', digest((p) => p.maxLeafLength(1)))
console.log('want an error')
console.log('a key of 65 bytes')
console.log('got ', digest((p) => p.key(Buffer.alloc(65))))
console.log('want an error')
