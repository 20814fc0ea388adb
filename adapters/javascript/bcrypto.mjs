// bcrypto: the class BLAKE2b of its JavaScript backend, https://github.com/bcoin-org/bcrypto/blob/master/lib/js/blake2b.js
import BLAKE2b from 'bcrypto/lib/js/blake2b.js'
import { serve, versionOf } from './protocol.mjs'

serve({
  name: 'bcrypto',
  version: versionOf('bcrypto'),
  takes: 'size key',
  final: 'throws',
  make: ({ size = 64, key }) => new BLAKE2b().init(size, key),
  update: (hash, bytes) => hash.update(bytes),
  digest: (hash) => hash.final(),
  reset: (hash, { size = 64, key }) => hash.init(size, key),
})
