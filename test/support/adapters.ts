import { join } from 'node:path'
import { nativeBinary } from '../../core-plugins/foundation/http/servers/check-native.ts'
import { chooseServer } from '../../core-plugins/foundation/http/servers/choose-server.ts'
import { nativeFiles } from '../../core-plugins/foundation/http/servers/native-files.ts'
import { areServicesRequired } from './scope.ts'

export type AdapterName = 'hyper-express' | 'node-http'

/** If services are required, the native server must load if it exists for this Node.js. */
const isWanted = nativeBinary in nativeFiles && areServicesRequired()
const isThereNative =
  isWanted || chooseServer('auto', join(import.meta.dirname, '../..')).native !== undefined

/** The servers that tests run on: both, or only `node:http` if the native one does not load (a newer Node.js, an old glibc). */
export const adapters: readonly [AdapterName, ...AdapterName[]] = isThereNative
  ? ['hyper-express', 'node-http']
  : ['node-http']

/** For tests of the native server alone. */
export const skipWithoutNative = isThereNative ? false : 'the native server does not load here'
