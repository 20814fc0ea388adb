// @noble/hashes 1.8.0: a salt at an address that is no multiple of 4 is refused, and a digest of 0 bytes is not. Mended in 2.4.0.
// $ node javascript/noble-hashes.mjs
import { blake2b } from '../../adapters/javascript/node_modules/noble-hashes-1.8.0/blake2b.js'

function hex(options) {
  try {
    return Buffer.from(blake2b('abc', options)).toString('hex')
  } catch (e) {
    return String(e)
  }
}

console.log('a salt at an odd address')
console.log('got ', hex({ dkLen: 8, salt: new Uint8Array(17).subarray(1) }))
console.log('want', hex({ dkLen: 8, salt: new Uint8Array(16) }))

console.log('a digest of 0 bytes')
console.log('got ', JSON.stringify(hex({ dkLen: 0 })))
console.log('want an error')
