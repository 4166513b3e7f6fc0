declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  export interface S3rverOptions {
    readonly address: string
    readonly port: number
    readonly silent: boolean
    readonly directory: string
    readonly configureBuckets: readonly { readonly name: string }[]
  }

  /** A store that speaks S3, in this process; its key and its secret are `S3RVER`. */
  export default class S3rver {
    constructor(options: S3rverOptions)
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
