// sodium-javascript: crypto_generichash_instance, after sodium-native (npm sodium-javascript)
import sodium from 'sodium-javascript'
import { serve, versionOf } from './protocol.mjs'

serve({
  name: 'sodium-javascript',
  version: versionOf('sodium-javascript'),
  takes: 'size key',
  documented: {
    size: [sodium.crypto_generichash_BYTES_MIN, sodium.crypto_generichash_BYTES_MAX],
    key: [sodium.crypto_generichash_KEYBYTES_MIN, sodium.crypto_generichash_KEYBYTES_MAX],
  },
  final: 'ends', // as libsodium's
  make: ({ size = 64, key }) => sodium.crypto_generichash_instance(key, size),
  update: (instance, bytes) => instance.update(bytes),
  digest: (instance) => instance.final(),
})
