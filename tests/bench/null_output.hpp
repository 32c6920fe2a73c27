#pragma once

#include <string>
#include <string_view>

#include "lib/files/output_set.hpp"

namespace geomconv {

/// An output that counts and forgets, so that a writer's own speed is seen. siblings: whether files may lie beside it.
class NullOutput final : public OutputSet {
public:
    explicit NullOutput(bool siblings = false) : siblings_(siblings) {}
    Sink& main() override { return sink_; }
    Sink& sibling(std::string_view) override { return sink_; }
    bool canHaveSiblings() const override { return siblings_; }
    std::string stem() const override { return "null"; }
    void commit() override {}

private:
    bool siblings_;
    NullSink sink_;
};

}  // namespace geomconv
