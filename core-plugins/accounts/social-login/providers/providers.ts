import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import type { ProviderKind } from './provider-kind.ts'
import { vk } from './vk.ts'

/** All providers; specification, "Content-user authentication". */
export const providerKinds = { google, github, facebook, vk } as const satisfies Readonly<
  Record<string, ProviderKind>
>

export type ProviderName = keyof typeof providerKinds

export const providerNames = Object.keys(providerKinds) as ProviderName[]
