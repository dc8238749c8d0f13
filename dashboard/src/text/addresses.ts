import { catalogue } from './catalogue.ts'

/** Postal addresses. */
export const addresses = catalogue({
  title: ['Address', 'Adresse', 'Dirección'],
  name: ['Name of the recipient', 'Name des Empfängers', 'Nombre del destinatario'],
  line1: ['Street and number', 'Straße und Hausnummer', 'Calle y número'],
  line2: ['Flat, floor or company', 'Wohnung, Etage oder Firma', 'Piso o empresa'],
  postalCode: ['Postal code', 'Postleitzahl', 'Código postal'],
  city: ['Town or city', 'Ort', 'Ciudad'],
  region: ['Region', 'Region', 'Región'],
  country: ['Country', 'Land', 'País'],
  countryHelp: [
    'Its name, or two letters such as DE.',
    'Der Name oder zwei Buchstaben wie DE.',
    'Su nombre o dos letras como DE.',
  ],
  phone: ['Phone', 'Telefon', 'Teléfono'],
})
