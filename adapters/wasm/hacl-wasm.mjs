// hacl-wasm (HACL*, verified): Blake2.blake2b(size, message, key) (npm hacl-wasm)
import hacl from 'hacl-wasm'
import { serve, versionOf } from '../javascript/protocol.mjs'

const { Blake2 } = await hacl.getInitializedHaclModule()
const none = new Uint8Array() // of no key

serve({
  name: 'hacl-wasm',
  version: versionOf('hacl-wasm'),
  takes: 'size key',
  hash: (message, { size = 64, key = none }) => Blake2.blake2b(size, message, key)[0],
})
