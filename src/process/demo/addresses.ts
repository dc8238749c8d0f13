/** How addresses of a country are written. Streets and cities are invented. */
interface AddressForm {
  cities: readonly string[]
  street: (number: number) => string
  /** The postal code for a number from 10,000 to 98,999. */
  postalCode: (number: number) => string
}

const LETTERS = 'ABDEFGHJLNPQRSTUWXYZ'

/** Returns a letter that is determined by the number, another one for each position. */
const letter = (number: number, position: number): string =>
  LETTERS.charAt(Math.floor(number / 7 ** position) % LETTERS.length)

const digits = (number: number, from: number, to: number): string => String(number).slice(from, to)

const numberThenStreet = (name: string) => (number: number) => `${number} ${name}`
const streetThenNumber = (name: string) => (number: number) => `${name} ${number}`

const FORMS: Readonly<Record<string, AddressForm>> = {
  US: {
    cities: ['Springfield', 'Fairview', 'Riverton'],
    street: numberThenStreet('Sample Street'),
    postalCode: String,
  },
  DE: {
    cities: ['Musterstadt', 'Neudorf'],
    street: streetThenNumber('Musterstraße'),
    postalCode: String,
  },
  FR: {
    cities: ['Villefranche-Exemple', 'Beaumont'],
    street: numberThenStreet('rue de l’Exemple'),
    postalCode: String,
  },
  GB: {
    cities: ['Ambridge', 'Borchester'],
    street: numberThenStreet('Sample Lane'),
    postalCode: (n) => `BO${digits(n, 0, 2)} ${digits(n, 2, 3)}${letter(n, 0)}${letter(n, 1)}`,
  },
  NL: {
    cities: ['Voorbeeldstad', 'Nieuwdorp'],
    street: streetThenNumber('Voorbeeldstraat'),
    postalCode: (n) => `${digits(n, 0, 4)} ${letter(n, 0)}${letter(n, 1)}`,
  },
  ES: {
    cities: ['Villaejemplo', 'Pueblonuevo'],
    street: streetThenNumber('Calle de la Muestra'),
    postalCode: (n) => `0${digits(n, 1, 5)}`,
  },
  CA: {
    cities: ['Sampleton', 'Maple Creek'],
    street: numberThenStreet('Sample Avenue'),
    postalCode: (n) =>
      `K${digits(n, 0, 1)}${letter(n, 0)} ${digits(n, 1, 2)}${letter(n, 1)}${digits(n, 2, 3)}`,
  },
  JP: {
    cities: ['Mihon-shi', 'Reishi'],
    street: streetThenNumber('Mihonchō'),
    postalCode: (n) => `${digits(n, 0, 3)}-${digits(n, 1, 5)}`,
  },
  AU: {
    cities: ['Sampleton', 'Wattle Bay'],
    street: numberThenStreet('Sample Road'),
    postalCode: (n) => digits(n, 0, 4),
  },
}

/** Returns how addresses of a country are written. */
export function addressForm(country: string): AddressForm {
  const form = FORMS[country]
  if (!form) throw new Error(`The demo has no addresses in ${country}.`)
  return form
}
