// blakejs 1.2.1 and 1.1.0: an empty key is hashed as a block of zeros, and a second final gives another digest.
// $ node javascript/blakejs.mjs
import blake from '../../adapters/javascript/node_modules/blakejs/index.js'

const hex = (digest) => Buffer.from(digest).toString('hex')
const message = Buffer.from('a')

console.log('an empty key')
console.log('got ', hex(blake.blake2b(message, new Uint8Array(0), 8)))
console.log('want', hex(blake.blake2b(message, null, 8)))

console.log('a second final')
const context = blake.blake2bInit(8)
const first = hex(blake.blake2bFinal(context))
console.log('got ', hex(blake.blake2bFinal(context)))
console.log('want an error, or', first)
