import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { slow } from '../support/scope.ts'
import { buildScript } from './build-script.ts'

it(
  'the types of the client say what the routes answer; `npm run client-types` renews them on purpose',
  slow,
  async () => {
    const check = promisify(execFile)(process.execPath, buildScript('client-answers.ts', '--check'))
    await check.catch(({ stderr }: { stderr: string }) => assert.fail(stderr))
  },
)
