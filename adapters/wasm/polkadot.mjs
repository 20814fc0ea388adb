// @polkadot/wasm-crypto (blake2-rfc in Rust): blake2b(message, key, size) (npm @polkadot/wasm-crypto)
import { blake2b, waitReady } from '@polkadot/wasm-crypto'
import { serve, versionOf } from '../javascript/protocol.mjs'

await waitReady()
const none = new Uint8Array() // of no key

serve({
  name: 'polkadot',
  version: versionOf('@polkadot/wasm-crypto'),
  takes: 'size key',
  hash: (message, { size = 64, key = none }) => blake2b(message, key, size),
})
