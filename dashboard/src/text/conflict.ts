import { catalogue } from './catalogue.ts'

export const conflict = catalogue({
  field: ['Field', 'Feld', 'Campo'],
  mine: ['Mine', 'Meine Fassung', 'Lo mío'],
  theirs: ['Theirs', 'Andere Fassung', 'Lo suyo'],
})
