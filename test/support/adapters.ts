import { nativeBinary } from '../../core-plugins/http/check-native.ts'
import { nativeFiles } from '../../core-plugins/http/native-files.ts'

export type AdapterName = 'hyper-express' | 'node-http'

/** Where there is a binary, it has to load: tests do not do without it. */
const isThereNative = nativeBinary in nativeFiles

/** The servers that tests run on: both, but for the newest Node.js there is no native one. */
export const adapters: readonly [AdapterName, ...AdapterName[]] = isThereNative
  ? ['hyper-express', 'node-http']
  : ['node-http']

/** For tests of the native server alone. */
export const skipWithoutNative = isThereNative ? false : 'there is no native server for this Node.js'
