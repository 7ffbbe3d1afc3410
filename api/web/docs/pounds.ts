/** A number of credits in pounds, net: `£1,234.50`. */
export function poundsOf(credits: number, pencePerCredit: number): string {
  const pounds = (credits * pencePerCredit) / 100;
  return `£${pounds.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
