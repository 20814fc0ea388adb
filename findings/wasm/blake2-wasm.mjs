// blake2.wasm 0.1.0: a digest or key of 65 bytes is not refused: every message has the digest of all zeros.
// $ node wasm/blake2-wasm.mjs
import blake2 from '../../adapters/wasm/node_modules/blake2.wasm/src/index.js'

const digest = (size, key, message) => Buffer.from(new blake2.Blake2b(size, key).update(Buffer.from(message)).final()).toString('hex')

blake2.ready(() => {
  console.log('two messages with a key of 65 bytes')
  const key = new Uint8Array(65)
  console.log('got ', digest(8, key, 'a'), digest(8, key, 'b'))
  console.log('want an error')
})
