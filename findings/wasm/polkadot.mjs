// @polkadot/wasm-crypto 7.5.4: after some thousand refusals, say of keys of 65 bytes, nothing is answered any more.
// $ node wasm/polkadot.mjs
import { createRequire } from 'node:module'
const { blake2b, waitReady } = createRequire(import.meta.url)('../../adapters/wasm/node_modules/@polkadot/wasm-crypto')

await waitReady()

function digest(key) {
  try {
    return Buffer.from(blake2b(Buffer.from('abc'), new Uint8Array(key), 8)).toString('hex')
  } catch (e) {
    return String(e)
  }
}

const want = digest(0)
for (let i = 0; i < 5000; i++) digest(65)
console.log('got ', digest(0))
console.log('want', want)
