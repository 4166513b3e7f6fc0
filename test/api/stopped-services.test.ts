import assert from 'node:assert/strict'
import { it } from 'node:test'
import { adapters } from '../support/adapters.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

async function startAndStop(adapter: (typeof adapters)[number]): Promise<WeakRef<object>> {
  const service = await startService({ adapter })
  assert.equal((await service.admin.get('/api/content/article')).status, 200)
  const kernel = new WeakRef(service.kernel)
  await service.stop()
  return kernel
}

for (const adapter of adapters)
  it(`a service that was stopped leaves the memory of its process, on ${adapter}`, async () => {
    const kernel = await startAndStop(adapter)
    await until(() => {
      collectGarbage()
      return kernel.deref() === undefined
    }, 'nothing holds the kernel')
  })
