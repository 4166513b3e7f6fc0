import assert from 'node:assert/strict'
import { it } from 'node:test'
import { KeptAnswers } from '../../core-plugins/delivery/cache/kept-answers.ts'
import { ReadRecord } from '../../core-plugins/entries/changes/changes.ts'

const tagged = () => ({
  answer: { lines: [], tag: '"tag"', label: undefined },
  reads: new ReadRecord(),
  checkedAt: 0,
  readAtMs: 0,
})

it('a flood of what is asked for once pushes out nothing of what was noted before, minute by minute', () => {
  const answers = new KeptAnswers(1024 * 1024)
  answers.setTagged('known', tagged())
  let noted = 0
  const flood = (atMs: number) => {
    noted = 0
    for (let index = 0; index < 10_000; index++) {
      if (!answers.mayNote(atMs)) continue
      answers.setTagged(`${atMs} ${index}`, tagged(), true)
      noted += 1
    }
  }
  flood(1_000_000)
  assert.ok(noted > 10 && noted < 100, `${noted} were noted`)
  assert.ok(answers.tagged('known') !== undefined)
  flood(1_030_000)
  assert.equal(noted, 0, 'in the same minute')
  flood(1_061_000)
  assert.ok(noted > 10, 'in the next minute')
  flood(500_000)
  assert.ok(noted > 10, 'when the clock was set back')
})
