// blake2 5.0.1 (node-blake2): a digest length is taken modulo 256.
// $ node javascript/node-blake2.mjs
import blake2 from '../../adapters/javascript/node_modules/blake2/index.js'

for (const digestLength of [65, 255, 257, 320]) {
  console.log(`a digest of ${digestLength} bytes`)
  try {
    console.log('got  one of', blake2.createHash('blake2b', { digestLength }).digest().length)
  } catch (e) {
    console.log('got ', String(e))
  }
  console.log('want an error')
}
