import { createRequire } from 'node:module'
import type { Country } from 'world-countries'
import type {
  CountryGeographyInput,
  CountryInput,
  CountryNamesInput,
  CurrencyInput,
  LanguageInput,
  RegionInput,
} from './content-types.ts'

/** Loaded with `require`, because the package's ES module imports its JSON in a way that Node refuses. */
export const countries: readonly Country[] = createRequire(import.meta.url)('world-countries')

type Ids = ReadonlyMap<unknown, number>

/** The records to which countries refer, by code or name. */
export interface References {
  readonly regions: Ids
  readonly languages: Ids
  readonly currencies: Ids
}

/** One record each, however many countries share it. */
export function languageRecords(): LanguageInput[] {
  const names = new Map(countries.flatMap(({ languages }) => Object.entries(languages)))
  return [...names].map(([code, name]) => ({ code, name }))
}

export function currencyRecords(): CurrencyInput[] {
  const currencies = new Map(countries.flatMap((country) => Object.entries(country.currencies)))
  return [...currencies].map(([code, { name, symbol }]) => ({ code, name, symbol }))
}

export function regionRecords(): RegionInput[] {
  return [...new Set(countries.map(({ region }) => region))].map((name) => ({ name, parent: null }))
}

/** The parts of regions, as regions with a parent. */
export function subregionRecords(regions: Ids): RegionInput[] {
  const parents = new Map(countries.map(({ region, subregion }) => [subregion, region]))
  return [...parents]
    .filter(([subregion]) => subregion !== '')
    .map(([name, region]) => ({ name, parent: idOf(region, regions) }))
}

/** Without borders, which can only be set once all countries exist. */
export function countryRecord(
  country: Country,
  { regions, languages, currencies }: References,
): CountryInput {
  const { name, cca2, cca3, status, unMember, area, flag, capital, translations } = country
  return {
    name: name.common,
    cca2,
    cca3,
    ccn3: country.ccn3 || null,
    cioc: country.cioc || null,
    // The types of the data set only say that it is a text.
    status: status as CountryInput['status'],
    independent: country.independent ?? null,
    unMember,
    names: namesOf(country, languages),
    geography: geographyOf(country),
    // In the data set, -1 means that the area is unknown.
    area: area < 0 ? null : area,
    flag,
    capitals: capital,
    translations,
    callingCode: country.idd.root === '' ? null : { ...country.idd },
    region: idOf(country.subregion || country.region, regions),
    languages: idsOf(Object.keys(country.languages), languages),
    currencies: idsOf(Object.keys(country.currencies), currencies),
  }
}

export function bordersRecord({ cca3, borders }: Country, ids: Ids): Partial<CountryInput> {
  return { cca3, borders: idsOf(borders, ids) }
}

function namesOf({ name, altSpellings }: Country, languages: Ids): CountryNamesInput {
  const native = Object.entries(name.native).map(([code, { common, official }]) => ({
    language: idOf(code, languages),
    common,
    official,
  }))
  return { official: name.official, alternatives: altSpellings, native }
}

function geographyOf({ latlng: [latitude, longitude], landlocked }: Country): CountryGeographyInput {
  return { latitude, longitude, landlocked }
}

function idOf(name: string, ids: Ids): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the data set refers to ${name}, which it does not have`)
  return id
}

const idsOf = (names: readonly string[], ids: Ids) => names.map((name) => idOf(name, ids))
