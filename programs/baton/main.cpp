#include <cstdio>

int main() {
    std::puts("baton " BATON_VERSION);
    return 0;
}
