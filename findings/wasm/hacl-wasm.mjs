// hacl-wasm 1.4.0: a call that makes the memory grow gives a wrong digest.
// $ node wasm/hacl-wasm.mjs
import hacl from '../../adapters/wasm/node_modules/hacl-wasm/api.js'

const { Blake2 } = await hacl.getInitializedHaclModule()
const digest = () => Buffer.from(Blake2.blake2b(8, new Uint8Array(2 ** 20), new Uint8Array(0))[0]).toString('hex')
console.log('got ', digest())
console.log('want', digest(), 'which the same call gives when it is made again')
