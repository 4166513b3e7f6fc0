import {
  connectTimeoutMs,
  costlyPoolSize,
  maxCostlyWaiting,
  maxWaiting,
  poolSize,
  queryTimeoutMs,
  readTimeoutMs,
  transactionPoolSize,
  waitTimeoutMs,
} from './limit-settings.ts'
import { databaseUrl } from './url-setting.ts'

export const databaseSettings = [
  databaseUrl,
  poolSize,
  transactionPoolSize,
  maxWaiting,
  waitTimeoutMs,
  connectTimeoutMs,
  queryTimeoutMs,
  readTimeoutMs,
  costlyPoolSize,
  maxCostlyWaiting,
]
