import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import type { Arguments } from '../../create-mortise/source/arguments.js'
import { askForRest } from '../../create-mortise/source/questions.js'
import { RefusedError } from '../../create-mortise/source/refused-error.js'
import { until } from '../support/until.ts'

const [enter, down, interrupt] = ['\r', '\u001b[B', '\u0003']
const given: Arguments = {
  ...{ target: undefined, database: undefined, git: undefined, mortise: undefined },
  ...{ help: false, install: false },
}

/** Asks for what is not given, and types each answer once its question is shown. */
async function ask(known: Partial<Arguments>, typed: readonly (readonly [string, readonly string[]])[]) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.on('data', (chunk) => {
    shown += stripVTControlCharacters(String(chunk))
  })
  const answers = askForRest({ ...given, ...known }, { input, output })
  answers.catch(() => undefined)
  for (const [question, keys] of typed) {
    await until(() => shown.includes(question))
    for (const key of keys) input.write(key)
  }
  return { answers, shown: () => shown }
}

describe('the questions of create-mortise', () => {
  it('ask for the folder, the database and a repository', async () => {
    const { answers } = await ask({}, [
      ['Folder', ['blog', enter]],
      ['Database', [down, enter]],
      ['Git repository', ['n']],
    ])
    assert.deepEqual(await answers, { ...given, target: 'blog', database: 'postgres', git: false })
  })

  it('propose what most want', async () => {
    const { answers } = await ask({}, [
      ['Folder', [enter]],
      ['Database', [enter]],
      ['Git repository', [enter]],
    ])
    assert.deepEqual(await answers, { ...given, target: 'my-site', database: 'sqlite', git: true })
  })

  it('leave out what the command line says', async () => {
    const { answers, shown } = await ask({ target: 'blog', git: false }, [['Database', [down, down, enter]]])
    assert.deepEqual(await answers, { ...given, target: 'blog', database: 'mysql', git: false })
    assert.doesNotMatch(shown(), /Folder|Git/)
    const known = { target: 'blog', database: 'sqlite', git: true } as const
    const nothing = await ask(known, [])
    assert.deepEqual([await nothing.answers, nothing.shown()], [{ ...given, ...known }, ''])
  })

  it('say at once what is wrong with a name', async () => {
    const { answers } = await ask({ database: 'sqlite', git: false }, [
      ['Folder', ['mortise', enter]],
      ['it is taken', ['-blog', enter]],
    ])
    assert.equal((await answers).target, 'mortise-blog')
  })

  it('end with Ctrl-C, and nothing is written', async () => {
    const { answers, shown } = await ask({}, [
      ['Folder', [enter]],
      ['Database', [interrupt]],
    ])
    await assert.rejects(answers, RefusedError)
    assert.match(shown(), /Nothing was written/)
  })
})
