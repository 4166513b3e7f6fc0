import type { Sharp } from 'sharp'
import type { Size } from './size.ts'

/** A picture as a browser shows it. Its size is that of the upright picture, as its header says. */
export interface Picture extends Size {
  /** Its pixels, upright; of several pictures the first. Where a file ends too early, as far as they are there. */
  decode(): Sharp
}
