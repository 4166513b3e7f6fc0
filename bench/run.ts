/*
 *   npm run bench -- [word] [options]
 *
 * Without a word, the scenarios of docs/benchmarks.md beside a floor; each word measures something else, which that page explains.
 */
const words = [
  ...[
    'background',
    'backup',
    'cache',
    'graphql',
    'import',
    'jobs',
    'live',
    'live-stream',
    'locales',
    'media',
  ],
  ...['overload', 'panel', 'preview', 'search', 'transfer', 'webhooks'],
]

const [, , word = ''] = process.argv
if (words.includes(word)) process.argv.splice(2, 1)
else if (/^\w/.test(word)) {
  console.error(`npm run bench knows no ${word}; it measures beside a floor, or ${words.join(', ')}`)
  process.exit(1)
}
await import(words.includes(word) ? `./${word}.ts` : './beside-floor.ts')
