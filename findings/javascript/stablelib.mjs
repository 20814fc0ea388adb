// @stablelib/blake2b 2.0.1: the counter does not carry into its last 32 bits, and a node depth of 256 is not refused.
// $ node javascript/stablelib.mjs
import { BLAKE2b } from '../../adapters/javascript/node_modules/@stablelib/blake2b/lib/blake2b.js'

const hex = (hash) => Buffer.from(hash.digest()).toString('hex')

console.log('257 bytes after 2^96 - 128')
const hash = new BLAKE2b(8)
hash.restoreState({ ...hash.saveState(), ctr: Uint32Array.of(0xffffff80, 0xffffffff, 0xffffffff, 0) })
console.log('got ', hex(hash.update(new Uint8Array(257).fill(0x61))))
console.log('want 5578e3ade3522786')

console.log('node depth 256')
const tree = { fanout: 2, maxDepth: 2, leafSize: 0, nodeOffsetHighBits: 0, nodeOffsetLowBits: 0, nodeDepth: 0, innerDigestLength: 0, lastNode: false }
try {
  console.log('got ', hex(new BLAKE2b(8, { tree: { ...tree, nodeDepth: 256 } })), 'which is that of inner length 1,', hex(new BLAKE2b(8, { tree: { ...tree, innerDigestLength: 1 } })))
} catch (e) {
  console.log('got ', String(e))
}
console.log('want an error')
