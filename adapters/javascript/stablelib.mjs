// @stablelib/blake2b: the class BLAKE2b, with saveState and restoreState (npm @stablelib/blake2b)
import { BLAKE2b } from '@stablelib/blake2b'
import { serve, Unsupported, versionOf } from './protocol.mjs'

const LOW = 2n ** 32n - 1n

function config({ key, salt, person, tree }) {
  if (tree?.offset > 2n ** 64n - 1n) throw new Unsupported('a node offset of more than two words of 32 bits')
  return { key, salt, personalization: person, tree: tree && {
    fanout: tree.fanout,
    maxDepth: tree.depth,
    leafSize: tree.leaf,
    nodeOffsetLowBits: Number(tree.offset & LOW),
    nodeOffsetHighBits: Number(tree.offset >> 32n),
    nodeDepth: tree.nodeDepth,
    innerDigestLength: tree.inner,
    lastNode: tree.last === 1,
  } }
}

const save = (hash, { size }) => new BLAKE2b(size).restoreState(hash.saveState())

serve({
  name: 'stablelib',
  version: versionOf('@stablelib/blake2b'),
  takes: 'size key salt person tree t',
  final: 'throws',
  make(params) {
    const hash = new BLAKE2b(params.size, config(params))
    if (params.t === undefined) return hash
    const ctr = Uint32Array.from([0n, 32n, 64n, 96n], (shift) => Number((params.t >> shift) & LOW))
    return hash.restoreState({ ...hash.saveState(), ctr })
  },
  update: (hash, bytes) => hash.update(bytes),
  digest: (hash) => hash.digest(),
  reset: (hash) => hash.reset(),
  clone: save,
  save,
})
