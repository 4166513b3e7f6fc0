import type { Client, Payload } from './client.ts'
import {
  bordersRecord,
  countries,
  countryRecord,
  currencyRecords,
  languageRecords,
  regionRecords,
  subregionRecords,
} from './records.ts'
import { type Counts, synchronise } from './synchronise.ts'

const languages = languageRecords()
const currencies = currencyRecords()
const regions = regionRecords()
const subregionCount = new Set(countries.map(({ subregion }) => subregion).filter(Boolean)).size

/** How often the import reports progress. */
export const recordCount =
  languages.length + currencies.length + regions.length + subregionCount + countries.length * 2

/** Imports everything in the order of its relations; `onProgress` learns what each record belongs to. */
export async function importCountries(
  client: Client,
  onProgress: (step: string) => void = () => undefined,
): Promise<ReadonlyMap<string, Counts>> {
  const summary = new Map<string, Counts>()

  async function step(name: string, type: string, key: string, records: readonly Payload[]) {
    const synchronised = await synchronise({ client, type, key, records, onProgress: () => onProgress(name) })
    summary.set(name, synchronised.counts)
    return synchronised.ids
  }

  const languageIds = await step('languages', 'language', 'code', languages)
  const currencyIds = await step('currencies', 'currency', 'code', currencies)
  const topIds = await step('regions', 'region', 'name', regions)
  const regionIds = await step('subregions', 'region', 'name', subregionRecords(topIds))
  const references = { regions: regionIds, languages: languageIds, currencies: currencyIds }
  const records = countries.map((country) => countryRecord(country, references))
  const countryIds = await step('countries', 'country', 'cca3', records)
  const borders = countries.map((country) => bordersRecord(country, countryIds))
  await step('borders', 'country', 'cca3', borders)
  return summary
}
