module blake2btest/adapters/go

go 1.26.0

require (
	blake2btest v0.0.0
	github.com/ethereum/go-ethereum v1.17.10
	github.com/minio/blake2b-simd v0.0.0-20160723061019-3f5f724cb5b1
)

require (
	golang.org/x/crypto v0.59.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace blake2btest => ../..
