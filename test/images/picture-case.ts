import type { Encoder } from './encoders.ts'

/** A picture of the table of pictures. */
export interface PictureCase {
  readonly name: string
  /** The name that it is uploaded under. */
  readonly file: string
  /** What has to be installed to make it. */
  readonly encoder?: Encoder
  make(): Promise<Uint8Array>
  /** What is transparent in the browser is missing in the file: anything goes there. */
  readonly isCut?: true
  /** By how much a colour may differ from what the browser shows; default 8. */
  readonly tolerance?: number
}
