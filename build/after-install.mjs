// @ts-check
import { prune } from '../launch/prune.mjs'

/** Run by npm after `npm ci` of this repository: nothing but Node is sure to work by then. */
prune(import.meta.filename)
