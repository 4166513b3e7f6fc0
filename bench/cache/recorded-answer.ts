import { readFileSync } from 'node:fs'

/** What an echo server sends, whatever is asked. */
export interface RecordedAnswer {
  /** Code and text. */
  readonly status: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** Of the file that ANSWER_FILE names. */
export function readRecordedAnswer(): RecordedAnswer {
  return JSON.parse(readFileSync(process.env.ANSWER_FILE ?? '', 'utf8')) as RecordedAnswer
}
