import { buildLive, type LiveAnswer } from './live-build.ts'

/** A process of its own: a build takes a gigabyte, which goes with it. */
const answer: LiveAnswer = await buildLive().then(
  (folder) => ({ folder }),
  (error: Error) => ({ problem: error.message }),
)
process.send?.(answer)
