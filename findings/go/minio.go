// minio/blake2b-simd of 2016-07-23: an empty key is hashed as a block of zeros.
// $ go run -C go minio.go
package main

import (
	"fmt"

	"github.com/minio/blake2b-simd"
)

func sum(key []byte) []byte {
	h, err := blake2b.New(&blake2b.Config{Size: 64, Key: key})
	if err != nil {
		panic(err)
	}
	return h.Sum(nil)
}

func main() {
	fmt.Printf("got  %.8x\n", sum([]byte{}))
	fmt.Printf("want %.8x\n", sum(nil))
}
