import type { Sharp } from 'sharp'
import type { Size } from './size.ts'

/** A picture as a browser shows it, with the upright size from its header. */
export interface Picture extends Size {
  /** Decodes the pixels upright; of several pictures the first. A truncated file yields the part that exists. */
  decode(): Sharp
}
