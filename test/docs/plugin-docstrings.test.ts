import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'

const entryPoint = join(import.meta.dirname, '../../entry-points/plugin.ts')

/** A name as it is exported from a file, and as the file that it comes from has it. */
interface Reexport {
  readonly ours: string
  readonly theirs: string
  readonly from: string
}

/** What a file exports of others. */
function reexportsOf(file: string): readonly Reexport[] {
  const lists = readFileSync(file, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)
  return [...lists].flatMap(([, list = '', path = '']) =>
    list
      .split(',')
      .map((part) => part.trim().replace(/^type /, ''))
      .filter((part) => part !== '')
      .map((part) => {
        const [theirs = '', ours = theirs] = part.split(' as ')
        return { ours, theirs, from: join(dirname(file), path) }
      }),
  )
}

/** The text before the declaration of a name, wherever it is declared; undefined where it is of a package. */
function textBefore({ theirs, from }: Reexport): string | undefined {
  const text = readFileSync(from, 'utf8')
  const declared = new RegExp(
    `^export (?:declare |abstract |async )*(?:const|function|class|interface|type) ${theirs}\\b`,
    'm',
  ).exec(text)
  if (declared !== null) return text.slice(0, declared.index)
  const next = reexportsOf(from).find(({ ours }) => ours === theirs)
  return next && textBefore(next)
}

const isDocumented = (before: string) => /\*\/\n(?:\/\/ .*\n)*$/.test(before)

it('every export of mortise/plugin says what it is', () => {
  const exported = reexportsOf(entryPoint)
  assert.ok(exported.length > 500)
  const found = exported.map((each) => ({ name: each.ours, before: textBefore(each) }))
  assert.ok(found.filter(({ before }) => before !== undefined).length > 500)
  const silent = found.filter(({ before }) => before !== undefined && !isDocumented(before))
  assert.deepEqual(
    silent.map(({ name }) => name),
    [],
  )
})
