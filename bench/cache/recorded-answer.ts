import { readFileSync } from 'node:fs'

/** The response of an echo server to every request. */
export interface RecordedAnswer {
  /** Status code and text. */
  readonly status: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** Reads the response from the file named by ANSWER_FILE. */
export function readRecordedAnswer(): RecordedAnswer {
  return JSON.parse(readFileSync(process.env.ANSWER_FILE ?? '', 'utf8')) as RecordedAnswer
}
