#!/usr/bin/env node
// @ts-check
import { startService, TranslationError, useTranslation } from './service.mjs'

/**
 * `mortise`, as the package brings it. The service starts without the command line around it, which would
 * take time, and memory for as long as it runs.
 */
const [command, ...rest] = process.argv.slice(2)
if (command === 'start' && rest.length === 0) await startService(process.cwd())
else if (command === 'dev' && rest.length === 0) {
  const { developService } = await import('./dev.mjs')
  await developService(process.cwd())
} else {
  try {
    // npm runs this after an install, when scripts of the project may be broken, or not there yet.
    if (command !== 'prune') await useTranslation(process.cwd())
    await import('../cli/mortise.ts')
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
