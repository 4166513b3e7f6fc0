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
} from './connections/limit-settings.ts'
import { databaseDirectUrl, databaseUrl } from './connections/url-setting.ts'

export const databaseSettings = [
  databaseUrl,
  databaseDirectUrl,
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
