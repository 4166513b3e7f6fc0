import { Worker } from 'bullmq'
import { connectionOf, queueName } from './bullmq.ts'

const [prefix = '', concurrency = '1'] = process.argv.slice(2)
const worker = new Worker(queueName, async () => undefined, {
  connection: connectionOf(),
  prefix,
  concurrency: Number(concurrency),
})
await worker.waitUntilReady()
process.once('SIGTERM', () => worker.close().then(() => process.exit(0)))
process.send?.('ready')
