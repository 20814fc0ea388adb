// blake2b 2.1.4, and blake2b-no-wasm 2.1.4: update after digest does not throw, as the README says, and gives a wrong digest.
// $ node javascript/blake2b.mjs
import blake2b from '../../adapters/javascript/node_modules/blake2b/index.js'

const hash = blake2b(16)
hash.digest()
try {
  console.log('got ', hash.update(Buffer.from('abc')).digest('hex'))
} catch (e) {
  console.log('got ', String(e))
}
console.log('want an error')
