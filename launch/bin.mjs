#!/usr/bin/env node
// @ts-check
import { importScript, isInstalled, startService, TranslationError, useTranslation } from './service.mjs'

/**
 * The command `mortise` of the package, and `npm run mortise` of this repository. The service starts without the
 * command line interface, which would cost time at the start, and memory throughout.
 */
const [command, ...rest] = process.argv.slice(2)
if (command === 'start' && rest.length === 0) await startService(process.cwd())
else if (command === 'dev' && rest.length === 0) {
  const { developService } = await import('./dev.mjs')
  await developService(process.cwd())
} else {
  try {
    // npm runs it after an install of the package, when scripts of the project may be broken or still missing.
    const needsNone = command === 'prune' && isInstalled
    await importScript('cli/mortise', needsNone ? (file) => file : await useTranslation(process.cwd()))
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
