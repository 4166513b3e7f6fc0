import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Appends to stdout (`-`) or to a file, which is reopened each time so that it can be rotated. */
export function appendTo(target: string): (text: string) => Promise<void> {
  if (target === '-') return writeToStdout
  return async (text) => {
    await mkdir(dirname(target), { recursive: true })
    await appendFile(target, text, { mode: 0o600 })
  }
}

function writeToStdout(text: string): Promise<void> {
  return new Promise((written, failed) => {
    process.stdout.write(text, (error) => (error ? failed(error) : written()))
  })
}
