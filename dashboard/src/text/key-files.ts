import { catalogue } from './catalogue.ts'

/** The reasons why a file of keys is refused, by the names in `key-file.ts`. */
export const keyFiles = catalogue({
  encoding: [
    'Line {line} of the file is not UTF-8. Save the file as UTF-8, and choose it again.',
    'Zeile {line} der Datei ist kein UTF-8. Speichern Sie die Datei als UTF-8, und wählen Sie sie erneut.',
    'La línea {line} del archivo no es UTF-8. Guarde el archivo como UTF-8 y elíjalo de nuevo.',
  ],
  quotes: [
    'The quotation mark in line {line} of the file is not closed. Correct the file, and choose it again.',
    'Das Anführungszeichen in Zeile {line} der Datei wird nicht geschlossen. Berichtigen Sie die Datei, und wählen Sie sie erneut.',
    'Las comillas de la línea {line} del archivo no se cierran. Corrija el archivo y elíjalo de nuevo.',
  ],
  line_break: [
    'The key in line {line} of the file contains a line break. Add such a key through the API.',
    'Der Schlüssel in Zeile {line} der Datei enthält einen Zeilenumbruch. Fügen Sie solche Schlüssel über die API hinzu.',
    'La clave de la línea {line} del archivo contiene un salto de línea. Añada esas claves mediante la API.',
  ],
})
