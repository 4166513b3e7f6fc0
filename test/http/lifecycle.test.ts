import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { DatabaseError } from '../../core-plugins/foundation/database/database.ts'
import { defineRoute, readinessChecks } from '../../core-plugins/foundation/http/http.ts'
import { StartupError } from '../../kernel/index.ts'
import { adapters } from '../support/adapters.ts'
import { recordingLog } from '../support/recording-log.ts'
import { openConnection, statusesIn } from './raw-connection.ts'
import { json, startService } from './service.ts'

const open = { access: 'open', summary: 'A route under test', method: 'GET' } as const

const get = (path: string) => `GET /api/${path} HTTP/1.1\r\nhost: x\r\n\r\n`

/** A route that answers when it is told to. */
function gatedRoute() {
  const gate = { open() {}, reached: Promise.resolve() }
  const isOpen = new Promise<void>((resolve) => {
    gate.open = resolve
  })
  let reach = () => {}
  gate.reached = new Promise((resolve) => {
    reach = resolve
  })
  const route = defineRoute({
    ...open,
    name: 'test:gated.read',
    path: '/gated',
    async handler() {
      reach()
      await isOpen
      return 'at last'
    },
  })
  return { gate, route }
}

for (const adapter of adapters) {
  describe(`a server by ${adapter}`, () => {
    it('finishes what it is working on when it stops, and begins nothing new', async () => {
      const { gate, route } = gatedRoute()
      const service = await startService({ adapter, routes: [route] })
      const idle = await openConnection(service.http.url)
      idle.write(get('livez'))
      await idle.read()
      const working = fetch(`${service.http.url}/api/gated`)
      await gate.reached
      const stopped = service.stop()
      await new Promise(setImmediate)

      idle.write(get('livez'))
      const late = await idle.readToEnd()
      assert.ok(
        statusesIn(late)
          .slice(1)
          .every((status) => status === 503),
      )
      await assert.rejects(fetch(`${service.http.url}/api/livez`))

      gate.open()
      assert.deepEqual(await json(await working), { success: true, data: 'at last' })
      await stopped
    })

    it('cuts what does not finish in time', async () => {
      const { gate, route } = gatedRoute()
      const env = { SVC_SERVER_SHUTDOWN_TIMEOUT_MS: '50' }
      const service = await startService({ adapter, routes: [route], env })
      const connection = await openConnection(service.http.url)
      connection.write(get('gated'))
      await gate.reached
      await service.stop()
      assert.equal(await connection.readToEnd(), '')
      gate.open()
    })

    it('stops at once when nothing is under way, with connections open', async () => {
      const service = await startService({ adapter })
      const connection = await openConnection(service.http.url)
      connection.write(get('livez'))
      await connection.read()
      await service.stop()
      assert.deepEqual(statusesIn(await connection.readToEnd()), [200])
    })

    it('names the address that it cannot listen on', async () => {
      const holder = createServer().listen(0, '127.0.0.1')
      await once(holder, 'listening')
      const { port } = holder.address() as { port: number }
      try {
        await assert.rejects(startService({ adapter, env: { PORT: String(port) } }), (error) => {
          assert.ok(error instanceof StartupError)
          assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port}`))
          return true
        })
        await assert.rejects(startService({ adapter, env: { HOST: '203.0.113.1' } }), StartupError)
      } finally {
        holder.close()
      }
    })

    it('notices another service on its port', async () => {
      const first = await startService({ adapter })
      try {
        const { port } = new URL(first.http.url)
        await assert.rejects(startService({ adapter, env: { PORT: port } }), StartupError)
      } finally {
        await first.stop()
      }
    })

    it('listens on localhost by default, on IPv4', async () => {
      const service = await startService({ adapter, env: { HOST: '' } })
      try {
        const { port } = new URL(service.http.url)
        assert.equal(service.http.url, `http://localhost:${port}`)
        assert.equal((await fetch(`http://127.0.0.1:${port}/api/livez`)).status, 200)
        assert.equal((await fetch(`http://localhost:${port}/api/livez`)).status, 200)
      } finally {
        await service.stop()
      }
    })

    it('is ready when every check passes, and says which does not', async () => {
      let isBroken = false
      const service = await startService({
        adapter,
        contribute({ contribute }) {
          contribute(readinessChecks, { name: 'always', check: () => undefined })
          contribute(readinessChecks, {
            name: 'sometimes',
            async check() {
              if (isBroken) throw new Error('the password is wrong')
            },
          })
        },
      })
      try {
        assert.deepEqual(await json(await service.fetch('/readyz')), {
          success: true,
          data: { status: 'ready' },
        })
        isBroken = true
        const response = await service.fetch('/readyz')
        assert.equal(response.status, 503)
        const { error } = await json(response)
        assert.equal(error.code, 'UNAVAILABLE')
        assert.match(error.message, /sometimes/)
        assert.doesNotMatch(JSON.stringify(error), /always|password/)
        assert.equal((await service.fetch('/livez')).status, 200)
      } finally {
        await service.stop()
      }
    })

    it('is ready while a part of it does not work, and names that', async () => {
      const service = await startService({
        adapter,
        contribute({ contribute }) {
          contribute(readinessChecks, {
            ...{ name: 'one part', concerns: 'part' },
            check: () => Promise.reject(new Error('the password is wrong')),
          })
        },
      })
      try {
        const response = await service.fetch('/readyz')
        assert.equal(response.status, 200)
        const { data } = await json(response)
        assert.deepEqual(data, { status: 'ready', degraded: ['one part'] })
      } finally {
        await service.stop()
      }
    })

    it('logs once what is not ready, and once that it is again, however often it is asked', async () => {
      const { log, lines } = recordingLog()
      let works = false
      const service = await startService({
        ...{ adapter, log },
        contribute({ contribute }) {
          const check = () => assert.ok(works, 'it does not work')
          contribute(readinessChecks, { name: 'something', check })
        },
      })
      const levels = () =>
        lines
          .filter(({ message }) => message.startsWith('readiness check something'))
          .map(({ level }) => level)
      try {
        const expected = []
        for (const level of ['warn', 'info', 'warn']) {
          works = level === 'info'
          for (let asked = 0; asked < 3; asked++) await service.fetch('/readyz')
          expected.push(level)
          assert.deepEqual(levels(), expected)
        }
      } finally {
        await service.stop()
      }
    })

    it('answers 503 while the database is gone', async () => {
      const failing = (name: string, error: unknown) =>
        defineRoute({
          ...open,
          name: `test:${name}.read`,
          path: `/${name}`,
          handler: async () => {
            throw error
          },
        })
      const service = await startService({
        adapter,
        routes: [
          failing('gone', new DatabaseError('unavailable', 'connect ECONNREFUSED 10.0.0.5')),
          failing('busy', new DatabaseError('busy', 'database is locked')),
          failing('wrong', new DatabaseError('other', 'no such table')),
        ],
      })
      try {
        for (const [name, status] of [
          ['gone', 503],
          ['busy', 503],
          ['wrong', 500],
        ] as const) {
          const response = await service.fetch(`/${name}`)
          assert.equal(response.status, status)
          assert.doesNotMatch(await response.text(), /10\.0\.0\.5|locked|table/)
        }
      } finally {
        await service.stop()
      }
    })

    it('compares answers with their schema in tests, and only there', async () => {
      const routes = [
        defineRoute({
          ...open,
          name: 'test:drifted.read',
          path: '/drifted',
          response: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
          handler: () => ({ id: 'seven', more: true }),
        }),
        defineRoute({
          ...open,
          name: 'test:true.read',
          path: '/true',
          response: Type.Object({ at: Type.String() }),
          handler: () => ({ at: new Date(0), left: undefined }),
        }),
      ]
      for (const [environment, status] of [
        ['test', 500],
        ['development', 200],
      ] as const) {
        const service = await startService({ adapter, routes, env: { NODE_ENV: environment } })
        try {
          assert.equal((await service.fetch('/drifted')).status, status)
          assert.equal((await service.fetch('/true')).status, 200)
        } finally {
          await service.stop()
        }
      }
    })
  })
}
