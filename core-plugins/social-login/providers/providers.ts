import type { socialLogin } from '../../config/config.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import type { ProviderKind } from './provider-kind.ts'
import { vk } from './vk.ts'

export type ProviderName = keyof typeof socialLogin

/** All that there are; specification, "Content-user authentication". */
export const providerKinds: Readonly<Record<ProviderName, ProviderKind>> = { google, github, facebook, vk }

export const providerNames = Object.keys(providerKinds) as ProviderName[]
