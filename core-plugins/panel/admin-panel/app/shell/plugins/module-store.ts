import { useSyncExternalStore } from 'react'
import type { PanelDocument } from '../../../../../../client/admin.ts'
import type { PanelModuleDefinition } from '../../../panel-api/panel-api.ts'
import { reportPluginError } from './report-error.ts'
import { messageOf } from './thrown.ts'

/** A module as the service lists it. */
export type ListedModule = PanelDocument['modules'][number]

export type ModuleState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly definition: PanelModuleDefinition }
  | { readonly kind: 'failed'; readonly problem: string }

/** A module with its loading state. */
export interface LoadedModule {
  readonly plugin: string
  readonly state: ModuleState
}

/** In milliseconds: a module that takes longer counts as failed; if it loads later, it is still used. */
const patienceMs = 10_000

let modules: readonly (LoadedModule & { readonly listed: ListedModule })[] = []
const listeners = new Set<() => void>()

/** Validates a module's exports and registers them. @throws Error that names the problem */
export type AdmitModule = (plugin: string, exported: unknown) => PanelModuleDefinition

let loadAdmission: () => Promise<{ readonly default: AdmitModule }>

/**
 * Imports the modules of plugins independently: one that fails or hangs affects only its own parts. `admission` loads the code
 * that registers modules, which is not needed without any.
 */
export function loadModules(listed: readonly ListedModule[], admission: typeof loadAdmission) {
  loadAdmission = admission
  modules = listed.map((each) => ({ plugin: each.plugin, listed: each, state: { kind: 'loading' } }))
  for (const each of listed) void load(each, each.url)
}

/** Imports a failed module again under another URL, since browsers cache failures by URL. */
export function retryModule(plugin: string) {
  for (const { listed, state } of modules) {
    if (listed.plugin === plugin && state.kind === 'failed')
      void load(listed, `${listed.url}?at=${Date.now()}`)
  }
}

/** All modules with their states. */
export function usePluginModules(): readonly LoadedModule[] {
  return useSyncExternalStore(subscribe, () => modules)
}

async function load(listed: ListedModule, url: string) {
  const { plugin, styles, problem } = listed
  if (problem !== undefined) return set(listed, { kind: 'failed', problem })
  set(listed, { kind: 'loading' })
  const timer = setTimeout(
    () => fail(listed, new Error(`it has not loaded within ${patienceMs / 1000} s`)),
    patienceMs,
  )
  try {
    if (styles !== undefined) addStyles(styles)
    const [module, { default: admitModule }] = await Promise.all([
      import(url) as Promise<{ readonly default?: unknown }>,
      loadAdmission(),
    ])
    set(listed, { kind: 'ready', definition: admitModule(plugin, module.default) })
  } catch (error) {
    fail(listed, error)
  } finally {
    clearTimeout(timer)
  }
}

function fail(listed: ListedModule, error: unknown) {
  set(listed, { kind: 'failed', problem: messageOf(error) })
  reportPluginError(listed.plugin, 'loading its panel module', error)
}

function addStyles(href: string) {
  if (document.querySelector(`link[href="${href}"]`) !== null) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  document.head.append(link)
}

function set(listed: ListedModule, state: ModuleState) {
  modules = modules.map((each) => (each.listed === listed ? { ...each, state } : each))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
