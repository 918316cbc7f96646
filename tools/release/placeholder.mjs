/** What stands for the owner of the repository until somebody has claimed a name: nothing is at its addresses. */
const PLACEHOLDER = "your-organization";

/** Whether an address has an owner. Links to any other would lead nowhere. @param {string} address */
export function isOwned(address) {
  return !address.includes(`/${PLACEHOLDER}/`);
}
