// blake2b-wasm 2.4.0: once an update has made the memory grow, other hashes in use fail, and two in turn use the memory up.
// $ node wasm/blake2b-wasm.mjs
import blake2b from '../../adapters/wasm/node_modules/blake2b-wasm/index.js'

const a = Buffer.from('a')

blake2b.ready(() => {
  console.log('a hash, and a large update of another')
  const small = blake2b(16).update(a)
  blake2b(16).update(Buffer.alloc(2 ** 20))
  try {
    console.log('got ', small.digest('hex'))
  } catch (e) {
    console.log('got ', String(e))
  }
  console.log('want', blake2b(16).update(a).digest('hex'))

  console.log('a thousand bytes for each of two hashes, in turn')
  const [one, two] = [blake2b(16), blake2b(16)]
  one.update(Buffer.alloc(2 ** 21))
  try {
    for (let i = 0; i < 1000; i++) one.update(a), two.update(a)
    console.log('got  no error')
  } catch (e) {
    console.log('got ', String(e))
  }
  console.log('want no error')
})
